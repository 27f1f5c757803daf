import type { EventPage } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { commonText } from '@meetmark/contracts/texts/common';
import { picturesText as text } from '@meetmark/contracts/texts/workspace';
import { Button } from 'antd';
import { type DragEvent, useRef, useState } from 'react';
import { ActionButton, useOnce } from '../../../ui/action-button';
import { Field } from '../../../ui/field';
import { CameraIcon } from '../../../ui/icons';
import { PictureInput, usePictureFiles } from '../../../ui/picture-input';
import { useToasts } from '../../../ui/toasts';
import { useForm } from '../../../ui/use-form';
import { useFailure } from '../../auth/session';
import { useRemoveGalleryPicture, useSaveGallery } from '../../events/event-life.api';
import { Panel } from '../dashboard/panel';
import { ConfirmDialog } from '../shared/confirm-dialog';
import styles from './workspace.module.css';

const most = LIMITS.gallery;

/** By the ids of pictures that are there, and the addresses of new ones. */
type Words = Partial<Record<string, string>>;

/** The pictures of an event for afterwards: chosen or dropped, each with its words, and removed one by one. */
export default function Pictures({ event }: { event: EventPage }) {
  const { gallery = [] } = event;
  const toasts = useToasts();
  const failed = useFailure();
  const saving = useSaveGallery(event);
  const saveOnce = useOnce(saving);
  const picker = useRef<HTMLInputElement>(null);
  const [added, setAdded] = useState<string[]>([]);
  const [removed, setRemoved] = useState<{ id: string; alt: string } | null>(null);
  const drop = (url: string) => setAdded((before) => before.filter((other) => other !== url));

  const items = [
    ...gallery.map(({ id, url, alt }) => ({ key: id, url: `${url}?width=480`, alt, isNew: false })),
    ...added.map((url) => ({ key: url, url, alt: '', isNew: true })),
  ];
  const { form, fields, errors, change, submit } = useForm<Words>({}, (given) =>
    Object.fromEntries(
      items.filter(({ key, alt }) => !(given[key] ?? alt).trim()).map(({ key }) => [key, text.altMissing]),
    ),
  );
  const changed = gallery.flatMap(({ id, alt }) => {
    const typed = fields[id]?.trim() ?? alt;
    return typed === alt ? [] : [{ id, alt: typed }];
  });
  const room = most - items.length;

  const read = usePictureFiles((url) =>
    setAdded((before) =>
      before.includes(url) || before.length + gallery.length >= most ? before : [...before, url],
    ),
  );
  const take = (files: File[]) => {
    if (files.length > room) toasts.error(commonText.error, text.tooMany({ most }));
    void read(files.slice(0, room));
  };
  const send = (given: Words) =>
    saveOnce(
      {
        added: added.map((url) => ({ picture: url, alt: given[url]!, came: () => drop(url) })),
        changed,
      },
      {
        onSuccess: () => toasts.success(text.saved),
        onError: (error) => failed(error, text.saveFailed),
      },
    );
  const nothing = added.length + changed.length === 0;
  return (
    <form ref={form} onSubmit={submit(send)} noValidate>
      <Panel title={text.title}>
        <div className={styles.fields}>
          <p className={styles.soft}>
            {text.hint({ most })} {text.altHint}
          </p>
          {items.length > 0 && (
            <ul className={styles.pictures}>
              {items.map(({ key, url, alt, isNew }, index) => (
                <Item
                  key={key}
                  url={url}
                  at={index + 1}
                  error={errors[key]}
                  alt={fields[key] ?? alt}
                  change={(typed) => change({ [key]: typed })}
                  remove={() => (isNew ? drop(key) : setRemoved({ id: key, alt }))}
                />
              ))}
            </ul>
          )}
          {room > 0 ? (
            <DropZone take={take} open={() => picker.current?.click()} />
          ) : (
            <p>{text.full({ most })}</p>
          )}
          <PictureInput ref={picker} label={text.title} multiple take={take} />
          {items.length > 0 && (
            <div>
              <ActionButton type="primary" htmlType="submit" inactive={saving.isPending || nothing}>
                {saving.isPending ? text.saving : text.save}
              </ActionButton>
            </div>
          )}
        </div>
      </Panel>
      {removed && <RemoveDialog event={event} picture={removed} close={() => setRemoved(null)} />}
    </form>
  );
}

interface ItemProps {
  url: string;
  /** From 1. */
  at: number;
  alt: string;
  error?: string;
  change: (alt: string) => void;
  remove: () => void;
}

const Item = ({ url, at, alt, error, change, remove }: ItemProps) => (
  <li>
    <img src={url} alt="" />
    <div className={styles.fields}>
      <Field
        label={text.alt({ at })}
        error={error}
        value={alt}
        maxLength={LIMITS.alt}
        onChange={(typed) => change(typed)}
      />
      <div>
        <Button aria-label={text.removeOf({ at })} onClick={remove}>
          {text.remove}
        </Button>
      </div>
    </div>
  </li>
);

function DropZone({ take, open }: { take: (files: File[]) => void; open: () => void }) {
  const [over, setOver] = useState(false);
  const hold = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div
      className={styles.drop}
      data-over={over || undefined}
      onDragEnter={hold}
      onDragOver={hold}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take([...event.dataTransfer.files]);
      }}
    >
      <p className={styles.soft}>{text.drop}</p>
      <Button icon={<CameraIcon size={18} />} onClick={open}>
        {text.choose}
      </Button>
    </div>
  );
}

interface RemoveDialogProps {
  event: EventPage;
  picture: { id: string; alt: string };
  close: () => void;
}

function RemoveDialog({ event, picture: { id, alt }, close }: RemoveDialogProps) {
  const toasts = useToasts();
  const failed = useFailure();
  const removing = useRemoveGalleryPicture(event);
  return (
    <ConfirmDialog
      danger
      title={text.removeTitle}
      question={text.removeQuestion({ alt })}
      warning={text.removeWarning}
      confirm={text.remove}
      onConfirm={() =>
        void removing.mutateAsync(id).then(
          () => toasts.success(text.removed),
          (error: unknown) => failed(error, text.removeFailed),
        )
      }
      close={close}
    />
  );
}
