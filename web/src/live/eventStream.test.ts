import { describe, expect, it } from 'vitest';
import { readEvents, type StreamEvent } from './eventStream';

const text = 'id: 1\nevent: a\ndata: {"é":1}\n\n: ping\n\nid: 2\ndata: x\ndata: y\n\n';

async function read(size: number): Promise<StreamEvent[]> {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  const events: StreamEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

describe('streams of events', () => {
  it.each([1, 2, 3, 7, 1000])('survive chunks of %i bytes', async (size) => {
    expect(await read(size)).toEqual([
      { id: '1', event: 'a', data: '{"é":1}' },
      { id: '', event: 'message', data: '' },
      { id: '2', event: 'message', data: 'x\ny' },
    ]);
  });
});
