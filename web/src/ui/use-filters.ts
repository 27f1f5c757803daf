import { startTransition, useOptimistic } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useQueryChange } from './use-query-change';

type Filters = Record<string, string>;

/**
 * Keeps filters in the URL, so that links and reloads preserve them. The Back button undoes one choice, or a
 * whole search text at once.
 * @param choices allowed values by filter; other filters are free text
 */
export function useFilters<F extends Filters>(
  defaults: F,
  choices: { [K in keyof F]?: Pick<readonly F[K][], 'includes'> },
): [F, (change: Partial<F>) => void] {
  const [parameters] = useSearchParams();
  const changeQuery = useQueryChange();
  const getValue = <K extends keyof F & string>(name: K): F[K] => {
    const written = parameters.get(name) as F[K] | null;
    const known = choices[name];
    return written !== null && (!known || known.includes(written)) ? written : defaults[name];
  };
  const filters = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof F & string)[]) filters[name] = getValue(name);
  // shows input immediately, because the router updates the URL later, in a transition
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
