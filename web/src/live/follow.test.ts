import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { follow } from './follow';

const stream = (text: string) => new Response(text, { headers: { 'Content-Type': 'text/event-stream' } });

describe('following a stream', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** Follows the answers in turn, with a new sign-in after each session but the last, and returns what happened. */
  async function followed(answers: (() => Response)[], sessions = 1) {
    const sent: (string | undefined)[] = [];
    const happened: string[] = [];
    vi.stubGlobal('fetch', async (_: string, options: { headers: Record<string, string> }) => {
      sent.push(options.headers['Last-Event-ID']);
      const answer = answers.shift();
      if (!answer) return new Response('', { status: 401 });
      return answer();
    });
    const done = follow('/event', 3, new AbortController().signal, {
      receive: (data) => happened.push(data),
      ended: async () => {
        happened.push('ended');
        return happened.filter((one) => one === 'ended').length < sessions;
      },
      rewound: async () => {
        happened.push('rewound');
        return 2;
      },
    });
    await vi.runAllTimersAsync();
    await done;
    return { sent, happened };
  }

  it('connects again after the last event, also one without data', async () => {
    const { sent, happened } = await followed([
      () => stream('id: 7\nevent: a\ndata: first\n\nid: 9\n: hidden\n\n'),
      () => stream('id: 10\ndata: second\n\n'),
    ]);
    expect(sent).toEqual(['3', '9', '10']);
    expect(happened).toEqual(['first', 'second', 'ended']);
  });

  it('connects again after the first sequence until it has received an event', async () => {
    const refuse = () => {
      throw new TypeError('connection refused');
    };
    const { sent, happened } = await followed([() => stream(': ping\n\n'), refuse, () => stream(': ping\n\n')]);
    expect(sent).toEqual(['3', '3', '3', '3']);
    expect(happened).toEqual(['ended']);
  });

  it('continues after the end of a restored journal', async () => {
    const { sent, happened } = await followed([
      () => new Response('', { status: 400 }),
      () => stream('id: 4\ndata: later\n\n'),
    ]);
    expect(sent).toEqual(['3', '2', '4']);
    expect(happened).toEqual(['rewound', 'later', 'ended']);
  });

  it('continues after the last event when the user has signed in again', async () => {
    const ended = () => new Response('', { status: 401 });
    const { sent, happened } = await followed([() => stream('id: 7\ndata: first\n\n'), ended], 2);
    expect(sent).toEqual(['3', '7', '7']);
    expect(happened).toEqual(['first', 'ended', 'ended']);
  });
});
