/** What the server demands of a new password. */
export const passwordHelp = 'At least 8 characters; several words are good.';
