/**
 * Loads modules that are no CommonJS.
 */
import { pathToFileURL } from 'node:url';

/** What a module exports; `T` is what its maker says of it. An absolute path. */
export async function load<T>(path: string): Promise<T> {
  return import(pathToFileURL(path).href);
}
