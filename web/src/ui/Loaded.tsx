import type { ReactNode } from 'react';
import { Failure } from './Notice';

type Props<Data> = {
  /** The subject of the failure: "The webhooks" completes "… could not be loaded". */
  what: string;
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** The height of the skeleton. */
  height?: string;
  children: (data: Data) => ReactNode;
};

/** The data of a query; before they are loaded a skeleton, and after a failed read the cause with a retry. */
export function Loaded<Data>({ what, query, height = 'h-24', children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Failure what={what} error={query.error} retry={() => query.refetch()} />;
  return <div className={`skeleton unsized ${height}`} />;
}
