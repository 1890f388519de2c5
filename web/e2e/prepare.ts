import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Creates the demo company once. Each test starts a server on a copy of its data. */
export default function prepare(): () => void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'equity-demo-'));
  process.env.DEMO_DATA = folder;
  execFileSync(process.env.EQUITY_BINARY ?? path.resolve('../bin/equity'), ['demo'], {
    cwd: folder,
    env: { ...process.env, DATA_DIRECTORY: folder },
  });
  return () => fs.rmSync(folder, { recursive: true, force: true });
}
