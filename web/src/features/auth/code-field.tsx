import type { ComponentProps } from 'react';
import { Field } from '../../ui/field';

type Given = Omit<
  ComponentProps<typeof Field>,
  'type' | 'inputMode' | 'maxLength' | 'autoComplete' | 'pattern'
>;

/** Six digits, which phones offer to fill in; spaces are dropped. */
export const CodeField = ({ onChange, ...field }: Given) => (
  <Field
    inputMode="numeric"
    autoComplete="one-time-code"
    maxLength={7}
    onChange={(value) => onChange?.(value.replace(/\D/g, '').slice(0, 6))}
    {...field}
  />
);
