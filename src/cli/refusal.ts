/** Why hookctl cannot judge, in one line; `words` says it to people where one line is too short; `usage`: it was called in the wrong way. */
export type Refusal = { readonly why: string; readonly words?: string; readonly usage?: true };
