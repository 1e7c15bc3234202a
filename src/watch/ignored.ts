/**
 * What git ignores below a folder: `.gitignore` of every folder on the way, and `.git/info/exclude`. `.git` itself always.
 */

/** What looking for rules needs of the disk: the text of a file, or undefined. */
export type ReadText = (path: string) => string | undefined;

export type Rules = (path: string) => boolean | undefined;

export class Ignored {
  private readonly rules = new Map<string, Rules | undefined>();
  private readonly folders = new Map<string, boolean>();

  /** `top`: the repository's folder, or the watched one; it lies above or at what is asked of. */
  constructor(
    private readonly top: string,
    private readonly read: ReadText,
    private readonly compile: (text: string) => Rules,
  ) {}

  /** A path below `top`; a folder's is taken for a file's too. Of several rules the nearest says it, and within an ignored folder all is ignored. */
  has(path: string): boolean {
    if (path === this.top || !path.startsWith(this.prefix())) return false;
    const cut = path.lastIndexOf('/');
    if (path.slice(cut + 1) === '.git' || this.hasFolder(path.slice(0, cut))) return true;
    return this.says(path, path.slice(0, cut)) === true;
  }

  /** A file with rules has changed. */
  forget(): void {
    this.rules.clear();
    this.folders.clear();
  }

  private hasFolder(folder: string): boolean {
    const known = this.folders.get(folder);
    if (known !== undefined) return known;
    const is = folder !== this.top && this.has(folder);
    this.folders.set(folder, is);
    return is;
  }

  private says(path: string, folder: string): boolean | undefined {
    for (let at = folder; at.length >= this.top.length; at = at.slice(0, at.lastIndexOf('/'))) {
      const below = path.slice(at === '/' ? 1 : at.length + 1);
      const said = this.rulesIn(at)?.(below) ?? this.rulesIn(at)?.(`${below}/`);
      if (said !== undefined) return said;
      if (at === this.top || at === '') break;
    }
    return undefined;
  }

  private rulesIn(folder: string): Rules | undefined {
    if (!this.rules.has(folder)) {
      const texts = [
        ...(folder === this.top ? [this.read(`${this.prefix()}.git/info/exclude`)] : []),
        this.read(`${folder === '/' ? '' : folder}/.gitignore`),
      ].filter((text) => text !== undefined);
      this.rules.set(folder, texts.length === 0 ? undefined : this.compile(texts.join('\n')));
    }
    return this.rules.get(folder);
  }

  private prefix(): string {
    return this.top === '/' ? '/' : `${this.top}/`;
  }
}
