import { expect, test } from 'vitest';
import { programs } from './programs';

const address = 'https://equity.example.com/mcp';

test('EachProgramReceivesTheAddress', () => {
  expect(programs(address).filter(({ text }) => !text.includes(address))).toEqual([]);
});

test('SettingsOfFilesAreJSON', () => {
  const files = programs(address).filter(({ text }) => text.startsWith('{'));
  expect(files.map(({ name, text }) => [name, Object.keys(JSON.parse(text))])).toEqual([
    ['Cursor', ['mcpServers']],
    ['VS Code', ['servers']],
    ['Other', ['mcpServers']],
  ]);
});
