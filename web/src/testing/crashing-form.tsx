import { Field } from '../ui/field';
import { useForm } from '../ui/use-form';
import { fillFields } from './actions';

/** A form that throws while its note is "crash". */
export function CrashingForm() {
  const { bind, fields } = useForm({ title: '', note: '' });
  if (fields.note === 'crash') throw new RangeError('Invalid time value');
  return (
    <>
      <Field label="Title" {...bind('title')} />
      <Field label="Note" {...bind('note')} />
    </>
  );
}

export function crashForm(title: string): void {
  fillFields({ Title: title });
  fillFields({ Note: 'crash' });
}
