import { YEARS } from '@meetmark/contracts/limits';
import type { ComponentProps } from 'react';
import { Field } from './field';

/** Value of a partly typed date. Browsers report '' for it, as for an empty field. */
const INCOMPLETE = 'incomplete';

const RANGES = {
  date: { min: `${YEARS.first}-01-01`, max: `${YEARS.last}-12-31` },
  'datetime-local': { min: `${YEARS.first}-01-01T00:00`, max: `${YEARS.last}-12-31T23:59` },
};

interface DateFieldProps extends Omit<ComponentProps<typeof Field>, 'type' | 'min' | 'max' | 'onBlur'> {
  type: keyof typeof RANGES;
}

/** With `max`, browsers allow only four digits for the year. */
export const DateField = ({ type, value, onChange, ...field }: DateFieldProps) => (
  <Field
    {...field}
    {...RANGES[type]}
    type={type as 'text'}
    value={value === INCOMPLETE ? '' : value}
    onChange={onChange}
    onBlur={({ target }) => {
      const typed = target.validity.badInput ? INCOMPLETE : target.value;
      if (typed !== value) onChange?.(typed);
    }}
  />
);
