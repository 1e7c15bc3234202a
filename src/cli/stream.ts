/**
 * `hookctl run --stream`: events one a line, until stdin ends; a verdict one a line. Whatever happens, every line that was read gets
 * its answer.
 */
import { reasonOf } from '../core/errno';
import { type Line, linesOf } from '../core/lines';
import type { Verdict } from '../core/model';
import { NATIVE } from '../dialects';
import { type EndSignal, EXIT, SIGNAL_EXIT, UNHEARD } from '../exit';
import type { Io } from '../io';
import type { Streams } from '../streams';
import { type EventRead, eventIn, MAX_EVENT_BYTES } from './event';
import { refuse, SHORT_GRACE_MS } from './judge';
import { bugIn, Judging } from './judging';
import type { Refusal } from './refusal';
import type { RunArguments, RunOptions } from './run-options';
import { lineOf, type Mark, markOf } from './stream-line';
import { depthProblem, usageProblem } from './usage';
import { toldTo } from './verdict';
import { patienceOf } from './world';

/** Words for people that nobody reads are dropped beyond so many bytes; verdicts never are. */
const WORDS_BYTES = 64 * 1024;
/** How long a reader who takes no more answers is waited for at the end. */
const UNREAD_MS = 2_000;
const UNREAD_WORDS_MS = 250;

/** A run of many events. */
export class Stream {
  private readonly options: RunOptions;
  private readonly judging: Judging;
  /** Why nothing is judged at all, or any more. */
  private refusal: Refusal | undefined;
  private code: number = EXIT.fine;
  private ending: Promise<unknown> | undefined;
  private giveUp: () => void = () => {};
  private readonly givenUp = new Promise<void>((resolve) => {
    this.giveUp = resolve;
  });

  constructor(
    private readonly io: Io,
    { options, problems }: RunArguments,
    private readonly how: NonNullable<RunOptions['stream']>,
    private readonly streams: Streams,
  ) {
    this.options = options;
    this.refusal = usageProblem(options.configs, problems, io) ?? depthProblem(io);
    this.judging = new Judging(io, options, this.refusal);
    if (this.refusal !== undefined) this.code = EXIT.usage;
  }

  /** Answers until stdin ends, or a signal, or until nobody reads. Resolves with the exit code. */
  async answer(): Promise<number> {
    const hopeless = await this.hopeless();
    if (hopeless !== undefined) return this.refuseAll(hopeless);
    this.io.onSignal((signal) => this.endBy(signal));
    void this.streams.output.lost.then((why) => {
      this.end({ why: `stdout cannot be written: ${why}` }, UNHEARD, SHORT_GRACE_MS);
    });
    if (this.refusal !== undefined) this.say(this.refusal.words ?? `hookctl: ${this.refusal.why}`);
    await Promise.race([this.answerAll(), this.givenUp]);
    await this.ending;
    await this.handOver();
    const lost = await Promise.race([this.streams.output.end(), this.givenUp.then(() => 'nobody reads it')]);
    await this.lastWords();
    return lost === undefined || this.ending !== undefined ? this.code : UNHEARD;
  }

  /** Answers what was read with hookctl's own failure. Resolves with the exit code. */
  async crash(error: unknown): Promise<number> {
    const stack = this.options.debug && error instanceof Error ? `\n${error.stack}` : '';
    this.end(
      { why: bugIn(error).why, words: `hookctl: ${bugIn(error).why}; please report it (--debug shows where)${stack}` },
      UNHEARD,
      SHORT_GRACE_MS,
    );
    await this.ending;
    await Promise.race([this.streams.output.end(), this.givenUp]);
    await this.lastWords();
    return this.code;
  }

  private async hopeless(): Promise<string | undefined> {
    if (await this.io.isTerminal('stdin')) return 'stdin is a terminal; pipe events into it, one a line';
    return this.io.stdoutIsNull() ? 'nobody can read stdout, where the verdicts go' : undefined;
  }

  private refuseAll(why: string): number {
    const { stdout, stderr } = NATIVE.writeReply(
      refuse({ why }, { room: NATIVE, event: undefined }, this.options.ownFailure),
      undefined,
    );
    this.io.write('stdout', stdout);
    this.io.write('stderr', stderr);
    return EXIT.usage;
  }

  /** At most `jobs` lines are between being read and being answered: more are not even read. */
  private async answerAll(): Promise<void> {
    const open = new Set<Promise<void>>();
    let freed = () => {};
    let last: Promise<void> = Promise.resolve();
    try {
      for await (const line of linesOf(this.streams.input.pieces, MAX_EVENT_BYTES)) {
        const written = this.written(this.answerTo(line), this.how.inOrder ? last : undefined);
        last = written;
        open.add(written);
        void written.then(() => {
          open.delete(written);
          freed();
        });
        if (open.size >= this.how.jobs) {
          await new Promise<void>((resolve) => {
            freed = resolve;
          });
        }
      }
    } catch (error) {
      this.end({ why: `stdin cannot be read: ${reasonOf(error)}` }, EXIT.usage, SHORT_GRACE_MS);
    }
    await Promise.all(open);
  }

  /** `before`: what must be written first. */
  private async written(answer: Promise<string>, before: Promise<void> | undefined): Promise<void> {
    const text = await answer;
    await before;
    await this.streams.output.write(text);
  }

  /** The line that answers a line. It never rejects. */
  private async answerTo(line: Line): Promise<string> {
    let [mark, asked]: [Mark, EventRead] = [{ line: line.number }, { room: NATIVE, refused: TOO_LONG }];
    try {
      if (line.kind === 'line') {
        mark = markOf(line.bytes, line.number);
        asked = eventIn(line.bytes, this.options, this.io);
      }
      return this.text(mark, asked, await this.judging.verdictOn(asked));
    } catch (error) {
      return this.text(mark, asked, this.judging.refuse(bugIn(error), asked));
    }
  }

  private text(mark: Mark, { room, event }: EventRead, verdict: Verdict): string {
    const reply = room.writeReply(toldTo(room, verdict, event), event);
    // What is wrong with all events was said once.
    if (room === NATIVE && this.refusal === undefined) this.say(placed(mark, reply.stderr.trimEnd()));
    return lineOf(mark, room, reply);
  }

  /** The answers first, then the end of the hooks; a second signal ends them at once. */
  private endBy(signal: EndSignal): void {
    if (this.ending !== undefined) {
      void this.judging.end({ why: `ended by ${signal}` }, 0);
      this.giveUp();
      return;
    }
    this.end({ why: `ended by ${signal} before all hooks had answered` }, SIGNAL_EXIT[signal], patienceOf(this.io));
  }

  /** Whatever was read is answered with the refusal, and no more is read. */
  private end(refusal: Refusal, code: number, graceMs: number): void {
    if (this.ending !== undefined) return;
    this.say(refusal.words ?? `hookctl: ${refusal.why}`);
    [this.refusal, this.code] = [refusal, code];
    this.streams.input.stop();
    this.ending = this.judging.end(refusal, graceMs).then(() => {
      setTimeout(this.giveUp, UNREAD_MS).unref();
    });
  }

  /** What observers have to do is theirs before hookctl ends. */
  private async handOver(): Promise<void> {
    const lost = await Promise.race([this.judging.done(), this.givenUp]);
    if (lost !== undefined) this.say(`hookctl: warning: ${lost}`);
  }

  private lastWords(): Promise<unknown> {
    const unread = new Promise((resolve) => setTimeout(resolve, UNREAD_WORDS_MS).unref());
    return Promise.race([this.streams.words.end(), unread]);
  }

  private say(words: string): void {
    if (words !== '' && this.streams.words.waiting() < WORDS_BYTES) void this.streams.words.write(`${words}\n`);
  }
}

const TOO_LONG = `the event is longer than ${MAX_EVENT_BYTES / 1024 / 1024} MiB`;

/** Without an id the number of the line tells whose words these are. */
function placed(mark: Mark, words: string): string {
  return 'line' in mark && words !== '' ? `line ${mark.line}: ${words}` : words;
}
