import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { coalesced, isAffected, refresh } from './refresh';

describe('a refresh after events', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs once for a burst, and once a second in a storm', async () => {
    const run = vi.fn(async () => undefined);
    const { plan } = coalesced(run, 150, 1_000);
    plan();
    plan();
    await vi.advanceTimersByTimeAsync(150);
    expect(run).toHaveBeenCalledTimes(1);
    for (let event = 0; event < 100; event++) {
      plan();
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(run.mock.calls.length).toBeLessThanOrEqual(6);
    expect(run.mock.calls.length).toBeGreaterThanOrEqual(5);
  });

  it('waits for the end of the one before', async () => {
    let end: () => void = () => undefined;
    const run = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    const { plan } = coalesced(run, 150, 1_000);
    plan();
    await vi.advanceTimersByTimeAsync(150);
    plan();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(run).toHaveBeenCalledTimes(1);
    end();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(run).toHaveBeenCalledTimes(2);
  });
});

describe('a refresh', () => {
  const of = (...kinds: string[]) => new Set(kinds);
  const path = (name: string, organization: string) => ['get', `/organization/{organization}/${name}`, organization];

  it('reads only the displayed data of the organization', async () => {
    const queries = new QueryClient();
    const reads: string[] = [];
    const show = (key: string[], displayed: boolean) => {
      queries.setQueryData(key, 1);
      const queryFn = async () => reads.push(key.join(' '));
      const observer = new QueryObserver(queries, { queryKey: key, queryFn, staleTime: 60_000 });
      if (displayed) observer.subscribe(() => undefined);
    };
    show(path('shareholding', 'ours'), true);
    show(path('plan', 'ours'), false);
    show(path('shareholding', 'theirs'), true);
    show(['get', '/user/current'], true);
    await refresh(queries, 'ours', of('shareholding'));
    expect(reads).toEqual([path('shareholding', 'ours').join(' ')]);
    expect(queries.getQueryState(path('plan', 'ours'))?.isInvalidated).toBe(true);
  });

  it('reads only what the kinds of records affect', () => {
    expect(isAffected(path('document', 'ours'), 'ours', of('document'))).toBe(true);
    expect(isAffected(path('captable', 'ours'), 'ours', of('document', 'file'))).toBe(false);
    expect(isAffected(path('journal', 'ours'), 'ours', of('document'))).toBe(true);
    expect(isAffected(path('document', 'ours'), 'ours', of('shareholding'))).toBe(false);
    expect(isAffected(path('captable', 'ours'), 'ours', of('shareholding', 'document'))).toBe(true);
    expect(isAffected([...path('journal', 'ours'), 'pinned'], 'ours', of('shareholding'))).toBe(false);
  });
});
