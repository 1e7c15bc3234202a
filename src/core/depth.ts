/** The depth of an event, beyond which it is dropped: `HOOKCTL_DEPTH`, or the header of that name. */
export const MAX_EMIT_DEPTH = 8;

/** The depth that a text says, 0 for none; undefined where it is no whole number. */
export function depthOf(text: string | undefined): number | undefined {
  const said = text ?? '';
  return /^\d{0,9}$/.test(said) ? Number(said) : undefined;
}
