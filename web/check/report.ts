import { expect } from '../e2e/equity';

/** Prints a measured value with its target, and fails if the target is missed. */
export function report(name: string, value: number, target: number, unit: string, atLeast = false): void {
  const shown = Number.isInteger(value) ? value.toString() : value.toFixed(3);
  console.log(`| ${name} | ${shown} ${unit} | ${atLeast ? '≥' : '≤'} ${target} ${unit} |`);
  if (atLeast) expect.soft(value, name).toBeGreaterThanOrEqual(target);
  else expect.soft(value, name).toBeLessThanOrEqual(target);
}
