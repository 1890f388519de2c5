/** How a program is connected through the Model Context Protocol: a step for a person, and a text to copy. */
export type Program = { name: string; step: string; text: string };

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** Returns the common programs with their settings for the address. */
export function programs(address: string): readonly Program[] {
  return [
    {
      name: 'Claude',
      step: 'Open Settings, Connectors, choose “Add custom connector”, and enter the address.',
      text: address,
    },
    { name: 'Claude Code', step: 'Run this command.', text: `claude mcp add --transport http equity ${address}` },
    {
      name: 'ChatGPT',
      step: 'Open Settings, Apps and Connectors, turn on developer mode, choose “Create”, and enter the address.',
      text: address,
    },
    { name: 'Codex', step: 'Run this command.', text: `codex mcp add equity --url ${address}` },
    {
      name: 'Cursor',
      step: 'Add this to .cursor/mcp.json.',
      text: json({ mcpServers: { equity: { url: address } } }),
    },
    {
      name: 'VS Code',
      step: 'Add this to .vscode/mcp.json.',
      text: json({ servers: { equity: { type: 'http', url: address } } }),
    },
    {
      name: 'Gemini CLI',
      step: 'Run this command.',
      text: `gemini mcp add --transport http equity ${address}`,
    },
    {
      name: 'Other',
      step: 'A program that cannot sign you in sends a token. Create one below, and put it in place of TOKEN.',
      text: json({
        mcpServers: { equity: { type: 'http', url: address, headers: { Authorization: 'Bearer TOKEN' } } },
      }),
    },
  ];
}
