/**
 * The door to `diff`: what changed in a text, for people.
 */
import { createTwoFilesPatch } from 'diff';

/** A unified diff with three lines of context; its head names the file once. */
export function unifiedDiff(file: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(file, file, before, after, '', '', { context: 3 });
  return patch.replace(/^Index: .*\n=+\n/, '');
}
