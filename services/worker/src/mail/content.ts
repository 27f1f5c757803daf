import { plain } from './plain.js';

/** The parts of a mail. HTML and text are both rendered from them, so that no template can write markup or forget a part. */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'facts'; rows: Fact[] }
  | { kind: 'code'; code: string }
  | { kind: 'button'; label: string; url: string };

/** With what it was, if the mail is about that. */
export type Fact = [label: string, value: string, was?: string];

export interface MailContent {
  /** The mail's name in the metrics. */
  template: string;
  subject: string;
  /** What an inbox shows beside the subject. */
  preview: string;
  blocks: Block[];
  /** Why this member gets this mail, in the footer. */
  reason: string;
}

export const paragraph = (text: string): Block => ({ kind: 'paragraph', text });
export const code = (digits: string): Block => ({ kind: 'code', code: digits });
export const button = (label: string, url: string): Block => ({ kind: 'button', label, url });
/** Rows without a value are left out. */
export const facts = (...rows: [label: string, value: string | null, was?: string][]): Block => ({
  kind: 'facts',
  rows: rows.filter((row): row is Fact => row[1] !== null),
});

export type Template<Variables extends object> = (variables: Variables) => MailContent;

type Wording<Variables extends object> = (variables: Variables) => Omit<MailContent, 'template'>;

/**
 * A mail's wording. Every string that it reads passes through `plain`; a missing variable throws at run time too, so that no mail says
 * 'undefined'.
 */
export function defineTemplate<Variables extends object>(
  template: string,
  write: Wording<Variables>,
): Template<Variables> {
  return (variables) => {
    const checked = new Proxy(variables, {
      get(target, variable) {
        const value: unknown = Reflect.get(target, variable);
        if (value === undefined)
          throw new Error(`template ${template} needs the variable ${String(variable)}`);
        return typeof value === 'string' ? plain(value) : value;
      },
    });
    return { template, ...write(checked) };
  };
}
