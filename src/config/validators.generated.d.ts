/** One error of a validator that `scripts/generate.mjs` compiles from a schema. */
export type SchemaError = {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly parentSchema?: { readonly title?: string; readonly properties?: Readonly<Record<string, unknown>> };
};

export type Validator = ((data: unknown) => boolean) & { readonly errors?: readonly SchemaError[] | null };

/** Schema name → validator. */
export declare const validators: Readonly<Record<string, Validator | undefined>>;
