import { codesText, verificationText as text } from '@meetmark/i18n/texts/codes';
import { Dialog } from '../../ui/dialog';
import { useToasts } from '../../ui/toasts';
import { CodeEntry } from './code-entry';
import { requestVerification } from './codes.api';

export default function VerificationDialog({ email, close }: { email: string; close: () => void }) {
  const toasts = useToasts();
  return (
    <Dialog title={text.title} close={close} width={440} compact form>
      {(dismiss) => (
        <CodeEntry
          purpose="verify"
          submit={text.confirm}
          resend={requestVerification}
          confirmed={() => {
            toasts.success(text.done);
            dismiss();
          }}
          autoFocus
        >
          {codesText.sentTo({ email })}
        </CodeEntry>
      )}
    </Dialog>
  );
}
