import fs from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { passwordHelp } from './passwords';

test('HelpOfANewPasswordStatesTheLengthOfTheContract', () => {
  const { components } = parse(fs.readFileSync('../http/contract/user.yaml', 'utf8'));
  expect(passwordHelp).toContain(`At least ${components.schemas.Password.minLength} characters`);
});
