import type { Validator } from './validators.generated';

/** Name of a schema that is no config's → validator. */
export declare const validators: Readonly<Record<'event' | 'decision' | 'verdict' | 'suite', Validator>>;
