import { startTransition, useEffect, useOptimistic, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';

type Filters = Record<string, string>;

/**
 * A list's filters live in the address, so that a filtered list can be linked to and survives a reload. `choices`
 * names the values that a filter may have; the others are free text. What is at its default is not written, and what
 * else the address says (an event that is open) stays.
 */
export function useFilters<F extends Filters>(
  defaults: F,
  choices: { [K in keyof F]?: readonly F[K][] },
): [F, (change: Partial<F>) => void] {
  const [parameters, setParameters] = useSearchParams();
  const valueOf = <K extends keyof F & string>(name: K): F[K] => {
    const written = parameters.get(name) as F[K] | null;
    const known = choices[name];
    return written !== null && (!known || known.includes(written)) ? written : defaults[name];
  };
  const filters = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof F & string)[]) filters[name] = valueOf(name);
  // The router follows its address in a transition; what was pressed or typed shows at once.
  const [shown, show] = useOptimistic(filters, (present: F, next: Partial<F>) => ({ ...present, ...next }));
  // A second change may come before the address has taken the first: it must not undo it.
  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  });
  const change = (next: Partial<F>) => {
    latest.current = { ...latest.current, ...next };
    startTransition(() => {
      show(next);
      setParameters(
        (current) => {
          for (const [name, value] of Object.entries(latest.current))
            if (value === defaults[name]) current.delete(name);
            else current.set(name, value);
          return current;
        },
        { replace: true },
      );
    });
  };
  return [shown, change];
}
