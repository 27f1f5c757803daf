import { useMutation } from '@tanstack/react-query';
import { useCommunity } from '../../../api/community';
import { adminUsersText as text } from '../../../strings/admin';
import { commonText } from '../../../strings/common';
import { ActionButton } from '../../../ui/action-button';
import { DownloadIcon } from '../../../ui/icons';
import { useToasts } from '../../../ui/toasts';
import { fileDate, saveCsv } from '../shared/csv';
import { useFailure } from '../../auth/session';
import { usersCsv, usersFileName } from './users-csv';
import { useFetchAllUsers } from './users.api';

/** Downloads everyone, not only the page on screen. */
export function ExportUsersButton() {
  const { locale } = useCommunity();
  const toasts = useToasts();
  const failed = useFailure();
  const exporting = useMutation({ mutationFn: useFetchAllUsers() });
  const run = () =>
    exporting.mutate(undefined, {
      onSuccess: (users) => {
        if (users.length === 0) return toasts.info(text.noData, text.noneToExport);
        saveCsv(usersFileName(fileDate()), usersCsv(users, locale));
        toasts.success(commonText.success, text.exported);
      },
      onError: (error) => failed(error, text.exportFailed),
    });
  return (
    <ActionButton icon={<DownloadIcon size={18} />} loading={exporting.isPending} onClick={run}>
      {text.export}
    </ActionButton>
  );
}
