import { type FormEvent, use, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { refusedFields } from '../api/client';
import { KeptFieldsContext } from './kept-fields';

export type FieldErrors<Fields> = Partial<Record<keyof Fields, string>>;

type TextField<Fields> = {
  [Name in keyof Fields]-?: Fields[Name] extends string | undefined ? Name : never;
}[keyof Fields];

const getFormName = (fields: object) => Object.keys(fields).join();

export function useForm<Fields extends object>(
  initial: Fields | (() => Fields),
  check: (fields: Fields) => FieldErrors<Fields> = () => ({}),
) {
  const form = useRef<HTMLFormElement>(null);
  const kept = use(KeptFieldsContext);
  const [fields, setFields] = useState(() => {
    const first = typeof initial === 'function' ? initial() : initial;
    return (kept?.rescued.get(getFormName(first)) as Fields | undefined) ?? first;
  });
  // stores the values only after a successful render, because a value that crashes the form must not be kept
  useEffect(() => {
    const name = getFormName(fields);
    kept?.latest.set(name, fields);
    return () => void kept?.latest.delete(name);
  }, [kept, fields]);
  const [errors, setErrors] = useState<FieldErrors<Fields>>({});

  const change = (changed: Partial<Fields>) => {
    setFields((current) => ({ ...current, ...changed }));
    const kept = Object.entries(errors).filter(([name]) => !(name in changed));
    if (kept.length < Object.keys(errors).length) setErrors(Object.fromEntries(kept) as FieldErrors<Fields>);
  };

  const refuse = (found: FieldErrors<Fields>) => {
    flushSync(() => setErrors(found));
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  };

  const show = (found: FieldErrors<Fields>) => setErrors((current) => ({ ...current, ...found }));

  const submit = (send: (fields: Fields) => void) => (event: FormEvent) => {
    event.preventDefault();
    const found = check(fields);
    refuse(found);
    if (Object.keys(found).length === 0) send(fields);
  };

  return {
    form,
    fields,
    errors,
    change,
    refuse,
    show,
    refuseAs: (error: unknown) => refuse(refusedFields(error) as FieldErrors<Fields>),
    submit,
    bind: bindTo(fields, errors, change),
  };
}

export const bindTo =
  <Fields extends object>(
    fields: Fields,
    errors: FieldErrors<Fields>,
    change: (changed: Partial<Fields>) => void,
  ) =>
  <Name extends TextField<Fields>>(name: Name) => ({
    value: fields[name] as string | undefined,
    error: errors[name],
    onChange: (value: string) => change({ [name]: value } as unknown as Partial<Fields>),
  });

/** Checks only the format. Only an email to the address can show whether it exists. */
export const looksLikeEmail = (text: string) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text.trim());
