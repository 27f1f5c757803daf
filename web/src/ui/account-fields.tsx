import type { ComponentProps } from 'react';
import { LIMITS } from '@meetmark/contracts/limits';
import { Field } from './field';

type Given = Omit<ComponentProps<typeof Field>, 'type' | 'maxLength'>;

/** What every form about a person asks for, as browsers fill it in and the server takes it. */
export const FirstNameField = (field: Given) => (
  <Field autoComplete="given-name" maxLength={LIMITS.name} {...field} />
);
export const LastNameField = (field: Given) => (
  <Field autoComplete="family-name" maxLength={LIMITS.name} {...field} />
);
/** By default it is what somebody signs in with. */
export const EmailField = (field: Given) => (
  <Field type="email" autoComplete="username" maxLength={LIMITS.email} {...field} />
);
