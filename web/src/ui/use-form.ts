import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { refusedFields } from '../api/client';

export type FieldErrors<Fields> = Partial<Record<keyof Fields, string>>;

/** Names of the fields that hold text. */
type TextField<Fields> = {
  [Name in keyof Fields]-?: Fields[Name] extends string | undefined ? Name : never;
}[keyof Fields];

/** The values and errors of a form, and a submission that sends valid values only. */
export function useForm<Fields extends object>(
  initial: Fields | (() => Fields),
  check: (fields: Fields) => FieldErrors<Fields> = () => ({}),
) {
  const form = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState(initial);
  const [errors, setErrors] = useState<FieldErrors<Fields>>({});

  /** Changes fields and clears their errors. */
  const change = (changed: Partial<Fields>) => {
    setFields((current) => ({ ...current, ...changed }));
    const kept = Object.entries(errors).filter(([name]) => !(name in changed));
    if (kept.length < Object.keys(errors).length) setErrors(Object.fromEntries(kept) as FieldErrors<Fields>);
  };

  /** Shows the errors and focuses the first field with one, which may be far above the button. */
  const refuse = (found: FieldErrors<Fields>) => {
    flushSync(() => setErrors(found));
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  };

  /** Shows errors beside those that are shown. */
  const show = (found: FieldErrors<Fields>) => setErrors((current) => ({ ...current, ...found }));

  const submit = (send: (fields: Fields) => void) => (event: FormEvent) => {
    event.preventDefault();
    const found = check(fields);
    refuse(found);
    if (Object.keys(found).length === 0) send(fields);
  };

  return {
    /** The ref of the form element. */
    form,
    fields,
    errors,
    change,
    refuse,
    show,
    /** Shows the errors that the server found in single fields, if it found any. */
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

/** The form that every mail server requires; only a mail shows whether the address exists. */
export const looksLikeEmail = (text: string) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text.trim());
