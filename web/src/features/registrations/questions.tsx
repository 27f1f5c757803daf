import type { Answers, Question } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { questionsText as text } from '@meetmark/i18n/texts/questions';
import { TextArea } from '../../ui/field';
import { SelectField } from '../../ui/select-field';
import { answerField, type AnswerFields } from './answers';

interface QuestionsProps {
  questions: Question[];
  bind: (field: keyof AnswerFields) => {
    value: string | undefined;
    error?: string;
    onChange: (value: string) => void;
  };
}

export default function Questions({ questions, bind }: QuestionsProps) {
  return questions.map((question) => {
    const { value = '', error, onChange } = bind(answerField(question));
    const { id, kind, label, required, options } = question;
    const field = {
      label: required ? label : text.optional({ label }),
      error: error?.replace(`${label}: `, ''),
      onChange,
    };
    return kind === 'text' ? (
      <TextArea key={id} {...field} value={value} rows={2} maxLength={LIMITS.answer} />
    ) : (
      <SelectField
        key={id}
        {...field}
        value={value}
        options={[
          { value: '', label: required ? text.choose : text.none },
          ...(kind === 'yesNo' ? YES_OR_NO : options.map((option) => ({ value: option, label: option }))),
        ]}
      />
    );
  });
}

const YES_OR_NO = [
  { value: 'yes', label: text.yes },
  { value: 'no', label: text.no },
];

export const formatAnswer = (answer: Answers[string]): string =>
  typeof answer === 'string' ? answer : answer ? text.yes : text.no;
