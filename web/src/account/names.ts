/** Returns the first and the last name of a full name: the last word is the last name. */
export function namesOf(fullName = ''): { firstName: string; lastName: string } {
  const parts = fullName.trim().split(/\s+/);
  const lastName = parts.length > 1 ? (parts.pop() ?? '') : '';
  return { firstName: parts.join(' '), lastName };
}
