/**
 * Environment variables as a config may set them.
 */

/** Why no variable can have the name, or undefined. */
export function variableFault(name: string): { readonly why: string; readonly hint: string } | undefined {
  if (name !== '' && !name.includes('=')) return undefined;
  return { why: 'this is no name of a variable', hint: 'a name is not empty and has no "="' };
}
