/** Switches between the light and the dark theme and remembers the choice in this browser. */
export function toggleTheme(): void {
  const dark = document.documentElement.classList.toggle('dark');
  localStorage.setItem('theme', dark ? 'dark' : 'light');
}
