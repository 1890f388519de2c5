import { useState } from 'react';
import { api } from '~/api/client';
import { Button } from '~/ui/Button';
import { copy } from '~/ui/copy';
import { Select } from '~/ui/Select';
import { programs } from './programs';

/** The address of the Model Context Protocol with the settings of common programs. Nothing if the server does not offer it. */
export function ConnectProgram() {
  const status = api.useQuery('get', '/agent/status', {}, { staleTime: Number.POSITIVE_INFINITY });
  const [name, setName] = useState('Claude');
  const address = status.data?.mcp;
  if (!address) return null;
  const all = programs(address);
  const chosen = all.find((one) => one.name === name);
  return (
    <section aria-labelledby="programs" className="flex flex-col gap-3">
      <h2 id="programs" className="font-medium">
        Connect a program
      </h2>
      <p className="text-ink-2">
        Programs that use the Model Context Protocol (MCP) read your companies and propose changes. The program asks you
        to sign in here, and you choose what it may do.
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="num break-all">{address}</code>
        <Button onClick={() => copy(address, 'Address copied')}>Copy the address</Button>
      </div>
      <Select
        label="Program"
        className="max-w-60"
        value={name}
        onChange={setName}
        choices={all.map((one) => ({ value: one.name, label: one.name }))}
      />
      {chosen && (
        <div className="flex flex-col gap-2">
          <p>{chosen.step}</p>
          <pre className="num overflow-x-auto rounded-[7px] bg-canvas p-3 text-xs break-all whitespace-pre-wrap">
            {chosen.text}
          </pre>
          <div>
            <Button onClick={() => copy(chosen.text, `Text for ${chosen.name} copied`)}>Copy for {chosen.name}</Button>
          </div>
        </div>
      )}
    </section>
  );
}
