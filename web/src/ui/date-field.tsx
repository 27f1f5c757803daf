import { YEARS } from '@meetmark/contracts/limits';
import type { ComponentProps } from 'react';
import { Field } from './field';

/** Stands for a partly typed date, which browsers report as ''. */
const INCOMPLETE = 'incomplete';

const RANGES = {
  date: { min: `${YEARS.first}-01-01`, max: `${YEARS.last}-12-31` },
  'datetime-local': { min: `${YEARS.first}-01-01T00:00`, max: `${YEARS.last}-12-31T23:59` },
};

interface DateFieldProps extends Omit<ComponentProps<typeof Field>, 'type' | 'min' | 'max' | 'onBlur'> {
  type: keyof typeof RANGES;
}

/** `max` limits the year to four digits. */
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
