/**
 * Tables whose keys somebody else chose.
 */

/** What the table says of a name. Names such as `constructor`, which every object has, are none of its keys. */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
