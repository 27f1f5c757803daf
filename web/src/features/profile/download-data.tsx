import type { DataExport } from '@meetmark/contracts';
import { downloadDataText as text } from '@meetmark/i18n/texts/profile';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { ActionButton } from '../../ui/action-button';
import { Card } from '../../ui/card';
import { Loaded } from '../../ui/feedback';
import { useFormats } from '../../ui/use-formats';
import { useAction } from '../auth/use-action';
import { dataExportQuery, useRequestDataExport } from './profile.api';
import styles from './profile.module.css';

const TITLE = 'download-data-title';

export function DownloadDataCard() {
  const query = useQuery(dataExportQuery);
  return (
    <Card id="download-data" titleId={TITLE} title={text.title} intro={text.intro}>
      <Loaded query={query}>{(present) => <Download present={present} />}</Loaded>
    </Card>
  );
}

function Download({ present }: { present: DataExport | null }) {
  const formats = useFormats();
  const request = useRequestDataExport();
  const requestOnce = useAction(request);
  if (present === null)
    return (
      <div className={styles.buttons}>
        <ActionButton
          inactive={request.isPending}
          onClick={() =>
            requestOnce(undefined, {
              failed: text.failed,
              // this button goes away, and the focus would move to the one that deletes the account
              onSuccess: () => document.getElementById(TITLE)?.focus(),
            })
          }
        >
          {text.prepare}
        </ActionButton>
      </div>
    );
  if (present.readyAt === null) return <p role="status">{text.pending}</p>;
  return (
    <>
      <p role="status">{text.ready({ until: formats.dateTime(present.expiresAt) })}</p>
      <div className={styles.buttons}>
        <Button type="primary" href="/api/user/export/file" download>
          {text.download}
        </Button>
      </div>
    </>
  );
}
