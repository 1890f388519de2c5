/** StreamEvent is one event of a stream of server-sent events. A comment has no data. */
export type StreamEvent = { id: string; event: string; data: string };

function parse(block: string): StreamEvent {
  const event: StreamEvent = { id: '', event: 'message', data: '' };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id') event.id = value;
    if (name === 'event') event.event = value;
    if (name === 'data') data.push(value);
  }
  return { ...event, data: data.join('\n') };
}

/** Reads the events of a stream. Chunks may end anywhere, also within a character. */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      waiting = (waiting + value).replace(/\r\n/g, '\n');
      const blocks = waiting.split('\n\n');
      waiting = blocks.pop() ?? '';
      for (const block of blocks) yield parse(block);
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
