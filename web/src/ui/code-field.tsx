import { LIMITS } from '@meetmark/contracts/limits';
import type { ComponentProps } from 'react';
import { keepDigits } from './digits';
import { Field } from './field';

type Given = Omit<
  ComponentProps<typeof Field>,
  'type' | 'inputMode' | 'maxLength' | 'autoComplete' | 'pattern'
>;

/** No `maxLength`, because browsers would cut a pasted ' 493707' before the space is removed. */
export const CodeField = ({ onChange, ...field }: Given) => (
  <Field
    inputMode="numeric"
    autoComplete="one-time-code"
    onChange={(typed) => onChange?.(keepDigits(typed, LIMITS.resetCode))}
    {...field}
  />
);
