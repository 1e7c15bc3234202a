/** Why hookctl cannot judge, in one line; `words` says it to people where one line is too short. */
export type Refusal = { readonly why: string; readonly words?: string };
