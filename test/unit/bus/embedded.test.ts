/**
 * The embedded bus: order, patterns, and those who do not keep up.
 */
import { describe, expect, it } from 'vitest';
import { EmbeddedBus } from '../../../src/bus/embedded';

function listener() {
  const told: string[] = [];
  const state = { open: true, cut: '' };
  return {
    told,
    state,
    sink: {
      write: (text: string) => {
        told.push(text);
        return state.open;
      },
      cutOff: (text: string) => {
        state.cut = text;
      },
    },
  };
}
const data = (told: readonly string[]) => told.map((text) => /data: (.*)/.exec(text)?.[1]);

describe('the bus', () => {
  it('tells each subscriber once, in order, of what its patterns match', () => {
    const bus = new EmbeddedBus();
    const [all, one] = [listener(), listener()];
    bus.subscribe(['prx.*', '*', 'prx.lifecycle.error'], all.sink);
    bus.subscribe(['prx.lifecycle.error'], one.sink);
    bus.publish('prx.lifecycle.error', '1');
    bus.publish('prx.lifecycle.tool_call', '2');
    expect([data(all.told), data(one.told)]).toEqual([['1', '2'], ['1']]);
    expect(all.told[1]).toBe('id: 2\nevent: prx.lifecycle.tool_call\ndata: 2\n\n');
  });

  it('keeps what a blocked one misses, and tells it in order', () => {
    const bus = new EmbeddedBus();
    const slow = listener();
    slow.state.open = false;
    const subscription = bus.subscribe(['*'], slow.sink);
    for (let n = 1; n <= 5; n += 1) bus.publish('t', String(n));
    expect(data(slow.told)).toEqual(['1']);
    slow.state.open = true;
    subscription.resume();
    expect(data(slow.told)).toEqual(['1', '2', '3', '4', '5']);
  });

  it('cuts one off for whom more than 1,024 wait, with a last event, and slows no other', () => {
    const bus = new EmbeddedBus();
    const [slow, quick] = [listener(), listener()];
    slow.state.open = false;
    bus.subscribe(['*'], slow.sink);
    bus.subscribe(['*'], quick.sink);
    for (let n = 1; n <= 1_030; n += 1) bus.publish('t', String(n));
    expect(quick.told).toHaveLength(1_030);
    expect(slow.state.cut.split('\n\n').at(-2)).toContain('event: hookctl.cut-off\ndata: {"error":"too slow');
    expect(data(slow.state.cut.split('\n\n').slice(0, -2))).toEqual(
      Array.from({ length: 1_024 }, (_, n) => String(n + 2)),
    );
    expect([bus.size, bus.lost]).toEqual([1, 1]);
  });

  it('forgets one that has ended', () => {
    const bus = new EmbeddedBus();
    const gone = listener();
    bus.subscribe(['*'], gone.sink).end();
    bus.publish('t', '1');
    expect(gone.told).toEqual([]);
  });
});
