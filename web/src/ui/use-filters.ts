import { startTransition, useOptimistic } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useQueryChange } from './use-query-change';

type Filters = Record<string, string>;

/**
 * A list's filters live in the address, so that a filtered list can be linked to and survives a reload. `choices`
 * names the values that a filter may have; the others are free text. What is at its default is not written, and what
 * else the address says (an event that is open) stays. Going back undoes a choice, and a search as a whole: its letters replace
 * each other.
 */
export function useFilters<F extends Filters>(
  defaults: F,
  choices: { [K in keyof F]?: Pick<readonly F[K][], 'includes'> },
): [F, (change: Partial<F>) => void] {
  const [parameters] = useSearchParams();
  const changeQuery = useQueryChange();
  const valueOf = <K extends keyof F & string>(name: K): F[K] => {
    const written = parameters.get(name) as F[K] | null;
    const known = choices[name];
    return written !== null && (!known || known.includes(written)) ? written : defaults[name];
  };
  const filters = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof F & string)[]) filters[name] = valueOf(name);
  // The router follows its address in a transition; a press or a letter shows at once.
  const [shown, show] = useOptimistic(filters, (present: F, next: Partial<F>) => ({ ...present, ...next }));
  const change = (next: Partial<F>) => {
    const typedOn = Object.keys(next).every((name) => !choices[name] && filters[name] !== defaults[name]);
    startTransition(() => {
      show(next);
      changeQuery(
        (query) => {
          for (const [name, value] of Object.entries(next))
            if (value === undefined || value === defaults[name]) query.delete(name);
            else query.set(name, value);
        },
        { replace: typedOn },
      );
    });
  };
  return [shown, change];
}
