/**
 * What `hookctl serve` does: puts the server together, keeps its configs fresh, stops it in good order.
 */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { EmbeddedBus } from '../bus/embedded';
import { workspaceSocket } from '../bus/workspace';
import { type Generation, Generations, warningsOf } from '../config/generation';
import { reasonOf } from '../core/errno';
import { folderOf, shownFrom } from '../core/path';
import { clean } from '../core/text';
import { appendLog, type LogLine } from '../emission/log';
import { bounded } from '../emission/slots';
import type { NatsLink } from '../engines/nats';
import { EXIT, SIGNAL_EXIT } from '../exit';
import type { Io } from '../io';
import { renderFinding, renderFindingLine } from '../render/findings';
import { createExec, type Exec, temporaryFolder } from '../runner/exec';
import { privateFolder } from '../runner/private-folder';
import { Emitter } from '../server/emitter';
import { Gate } from '../server/gate';
import { Hooks } from '../server/hooks';
import { type Address, listen, serverFor } from '../server/server';
import { claimSocket, protectSocket, removeSocket } from '../server/sockets';
import { Status } from '../server/status';
import { Streams } from '../server/streams';
import { badUsage } from './command';
import { selectionFor } from './doors';
import { loadDoors } from './load-doors';
import type { ParsedOptions } from './options';
import { diskWith, readServeSettings, type ServeSettings } from './serve-settings';

const POLL_MS = 500;
const RUNNING_MS = 5_000;
const GRACE_MS = 2_000;
const DRAIN_MS = 1_000;

/** Runs the command and resolves with the exit code. */
export async function serving(options: ParsedOptions, io: Io): Promise<number> {
  const settings = readServeSettings(options, io);
  if ('problem' in settings) return badUsage('serve', settings.problem, io);
  if (settings.madeToken !== undefined)
    io.write('stderr', `hookctl serve: a new token was kept in ${settings.madeToken}: ${settings.token}\n`);
  return new Serving(settings, io).run();
}

class Serving {
  private readonly bus = new EmbeddedBus();
  private readonly streams = new Streams(this.bus);
  private readonly status = new Status();
  private readonly inner: Exec;
  private readonly generations: Generations;
  private readonly hooks: Hooks;
  private readonly servers: Server[] = [];
  private readonly sockets: string[] = [];
  private generation: Generation | undefined;
  private emitter: Emitter | undefined;
  private nats: NatsLink | undefined;
  private isBusDown = true;

  constructor(
    private readonly settings: ServeSettings,
    private readonly io: Io,
  ) {
    this.inner = createExec(io.env, io.uid);
    const doors = { ...loadDoors(io), disk: diskWith(io.disk, settings.file), partial: true, beside: settings.plugins };
    this.generations = new Generations(settings.configs, io.cwd, doors);
    this.hooks = new Hooks({
      path: settings.file,
      shown: shownFrom(io.cwd, settings.file),
      now: () => new Date(),
      warn: (message) => this.say(`warning: ${message}`),
    });
  }

  async run(): Promise<number> {
    const first = await this.generations.current();
    for (const finding of [...first.faults, ...warningsOf(first)])
      this.io.write('stderr', `${renderFinding(finding)}\n`);
    if (first.faults.length > 0) return EXIT.findings;
    this.generation = first;
    this.hooks.list();
    await this.connect();
    const stopped = this.untilStopped();
    const problem = await this.listen();
    if (problem !== undefined) {
      await this.end();
      return badUsage('serve', problem, this.io);
    }
    const poll = setInterval(() => void this.refresh(), POLL_MS);
    const code = await stopped;
    clearInterval(poll);
    return code;
  }

  private async connect(): Promise<void> {
    const { bus } = this.settings;
    if (bus !== undefined) {
      const { link } = await import('../engines/nats');
      this.nats = link(bus, {
        subjects: ['prx.>'],
        onMessage: ({ subject, data }) => this.emitter?.relay(subject, data),
        onState: (why) => this.onBus(bus.shown, why),
        noEcho: true,
      });
    }
    this.emitter = new Emitter({
      current: () => this.refresh(),
      programs: this.io.programs,
      bus: this.bus,
      nats: this.nats,
      origin: randomUUID(),
      exec: bounded(this.inner),
      status: this.status,
      cwd: this.io.cwd,
      env: this.io.env,
      selectionFor,
      ids: () => this.hooks.ids(),
      log: (line) => this.log(line),
      newId: randomUUID,
    });
  }

  /** One line when it goes and one when it comes. */
  private onBus(shown: string, why: string | undefined): void {
    if (why === undefined) {
      this.isBusDown = false;
      this.hasBeenDown = false;
      this.say(`bus ${shown}: connected`);
      this.log({ kind: 'bus', state: 'up' });
      return;
    }
    this.isBusDown = true;
    if (this.hasBeenDown) return;
    this.hasBeenDown = true;
    this.say(`warning: bus ${shown}: ${why}; events are not published there until it is back`);
    this.log({ kind: 'bus', state: 'down', reason: why });
  }

  private hasBeenDown = false;

  /** Or why a place cannot be listened on. */
  private async listen(): Promise<string | undefined> {
    const { emitter, settings } = this;
    if (emitter === undefined) throw new Error('listening before there is an emitter');
    const doors = {
      hooks: this.hooks,
      emitter,
      streams: this.streams,
      status: () => this.report(),
      refresh: () => this.refresh(),
    };
    const gate = new Gate({ token: settings.token, hosts: settings.hosts, origins: settings.origins });
    const shown: string[] = [];
    for (const address of settings.addresses) {
      const told = await this.listenOn(
        address,
        serverFor(gate, doors, (error) => this.bug(error)),
      );
      if ('problem' in told) return told.problem;
      shown.push(told.shown);
    }
    const own = await this.listenOnOwn(serverFor(gate, doors, (error) => this.bug(error)));
    if (own !== undefined && shown.length === 0) shown.push(own);
    if (shown.length === 0) return 'there is nothing to listen on: another serve has the socket of this workspace';
    this.io.announce(JSON.stringify({ listening: shown, pid: this.io.pid, config: settings.file }));
    return undefined;
  }

  private async listenOn(address: Address, server: Server): Promise<{ shown: string } | { problem: string }> {
    const where = address.kind === 'unix' ? address.path : `${address.host}:${address.port}`;
    const taken = address.kind === 'unix' ? await claimSocket(address.path) : undefined;
    if (taken !== undefined) return { problem: `cannot listen on ${where}: ${taken}` };
    try {
      const port = await listen(server, address);
      this.servers.push(server);
      if (address.kind === 'tcp') {
        const host = address.host.includes(':') ? `[${address.host}]` : address.host;
        return { shown: `http://${host}:${port}` };
      }
      protectSocket(address.path);
      this.sockets.push(address.path);
      return { shown: `unix:${address.path}` };
    } catch (error) {
      return { problem: `cannot listen on ${where}: ${reasonOf(error)}` };
    }
  }

  /** The socket by which `emit` finds the server of its workspace; a second server goes without. */
  private async listenOnOwn(server: Server): Promise<string | undefined> {
    try {
      const folder = privateFolder({ tmp: temporaryFolder(this.io.env), uid: this.io.uid });
      if (folder.fresh) return undefined;
      const path = workspaceSocket(folder.path, folderOf(this.settings.file));
      const told = await this.listenOn({ kind: 'unix', path }, server);
      return 'shown' in told ? told.shown : undefined;
    } catch {
      return undefined;
    }
  }

  /** What is on the disk now is in force, if it is valid; an invalid state is told once. */
  private async refresh(): Promise<Generation> {
    const now = await this.generations.current();
    const { generation: before } = this;
    this.generation = now;
    if (now.loaded === before?.loaded && now.faults === before.faults) return now;
    const [fault] = now.faults;
    const reason = fault === undefined ? undefined : renderFindingLine(fault);
    const shared = { generation: now.generation, ok: reason === undefined };
    this.log({ kind: 'reload', ...shared, ...(reason === undefined ? {} : { reason }) });
    if (reason !== undefined) this.say(`${reason}; the last good state stays in force`);
    else this.hooks.list();
    return now;
  }

  private async report(): Promise<unknown> {
    await this.refresh();
    const { generation, bus, status, settings } = this;
    const faults = generation?.faults ?? [];
    const [fault] = faults;
    return {
      valid: fault === undefined,
      error: fault === undefined ? null : renderFindingLine(fault),
      generation: generation?.generation ?? 0,
      hooks: this.hooks.list().length,
      bus: {
        kind: settings.bus === undefined ? 'embedded' : 'nats',
        ...(settings.bus === undefined ? {} : { url: settings.bus.shown, up: !this.isBusDown }),
        subscribers: this.streams.size,
        lost: bus.lost,
      },
      plugins: pluginsOf(generation),
      events: { emitted: status.emitted, dropped: status.dropped },
      runs: status.counts(),
      last: status.last(),
    };
  }

  private untilStopped(): Promise<number> {
    let isStopping = false;
    return new Promise((resolve) => {
      this.io.onSignal((signal) => {
        if (isStopping) return resolve(SIGNAL_EXIT[signal]);
        isStopping = true;
        void this.stop().then(() => resolve(EXIT.fine));
      });
    });
  }

  /** No new connections, streams ended; hooks get their time, then their end. */
  private async stop(): Promise<void> {
    for (const server of this.servers) server.close();
    this.streams.endAll();
    for (const server of this.servers) server.closeIdleConnections();
    const running = Promise.all(this.emitter?.running ?? []);
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      running,
      new Promise((resolve) => {
        timer = setTimeout(resolve, RUNNING_MS);
      }),
    ]);
    clearTimeout(timer);
    await this.inner.endAll(GRACE_MS);
    await running;
    await this.end();
  }

  private async end(): Promise<void> {
    for (const server of this.servers) server.closeAllConnections();
    for (const socket of this.sockets) removeSocket(socket);
    await this.nats?.close(DRAIN_MS);
  }

  private bug(error: unknown): void {
    this.say(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }

  private say(message: string): void {
    this.io.write('stderr', `hookctl serve: ${clean(message)}\n`);
  }

  private log(line: LogLine): void {
    const { log } = this.settings;
    const lost = log === undefined ? undefined : appendLog(log, line);
    if (lost !== undefined && !this.hasLostLog) this.say(`warning: ${lost}`);
    this.hasLostLog ||= lost !== undefined;
  }

  private hasLostLog = false;
}

type Plugin = { readonly name: string; readonly at: string; readonly state: string };

/** One a plugin, whatever it is told of. */
function pluginsOf(generation: Generation | undefined): Plugin[] {
  const hooks = generation?.loaded.hooks.filter(({ label }) => label.startsWith('plugin:')) ?? [];
  const plugins = hooks.map(({ label, at, off }): [string, Plugin] => [
    label,
    { name: label.slice('plugin:'.length), at: at.file, state: off ?? 'loaded' },
  ]);
  return [...new Map(plugins).values()];
}
