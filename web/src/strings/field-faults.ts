import english from './catalogues/en-US/field-faults.json' with { type: 'json' };
import { said } from './say';

/** What is wrong with a field, by the rule of the API that it breaks. Its label stands beside it. */
export const { fieldFaultText } = said<
  typeof english,
  {
    fieldFaultText: {
      inItem: [number: number, fault: string];
      rules: {
        maxLength: [limit: number];
        minLength: [limit: number];
        min: [limit: number];
        max: [limit: number];
        isListOf: [limit: number];
        isListOfLines: [limit: number];
      };
    };
  }
>(english);
