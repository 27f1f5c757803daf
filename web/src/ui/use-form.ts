import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { refusedFields } from '../api/client';

export type FieldErrors<Fields> = Partial<Record<keyof Fields, string>>;

/** Names of the fields that hold text. */
type TextField<Fields> = {
  [Name in keyof Fields]-?: Fields[Name] extends string | undefined ? Name : never;
}[keyof Fields];

/** What a form holds, what is wrong with it, and a submission that goes on only when nothing is. */
export function useForm<Fields extends object>(
  initial: Fields | (() => Fields),
  check: (fields: Fields) => FieldErrors<Fields> = () => ({}),
) {
  const form = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState(initial);
  const [errors, setErrors] = useState<FieldErrors<Fields>>({});

  /** What is typed anew is not wrong any more. */
  const change = (changed: Partial<Fields>) => {
    setFields((current) => ({ ...current, ...changed }));
    const kept = Object.entries(errors).filter(([name]) => !(name in changed));
    if (kept.length < Object.keys(errors).length) setErrors(Object.fromEntries(kept) as FieldErrors<Fields>);
  };

  /** Shows what is wrong; the first such field, which may be far above the button, gets the focus. */
  const refuse = (found: FieldErrors<Fields>) => {
    flushSync(() => setErrors(found));
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  };

  const submit = (send: (fields: Fields) => void) => (event: FormEvent) => {
    event.preventDefault();
    const found = check(fields);
    refuse(found);
    if (Object.keys(found).length === 0) send(fields);
  };

  return {
    /** For the form element itself. */
    form,
    fields,
    errors,
    change,
    refuse,
    /** Shows what the server found wrong with single fields, if that is why it refused. */
    refuseAs: (error: unknown) => refuse(refusedFields(error) as FieldErrors<Fields>),
    submit,
    /** Value, error and change of a field that holds text. */
    bind: <Name extends TextField<Fields>>(name: Name) => ({
      value: fields[name] as string | undefined,
      error: errors[name],
      onChange: (value: string) => change({ [name]: value } as unknown as Partial<Fields>),
    }),
  };
}

/** What every mail server needs: whether the address exists only a mail can tell. */
export const looksLikeEmail = (text: string) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text.trim());
