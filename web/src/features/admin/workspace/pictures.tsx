import type { EventPage, GalleryPicture } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { commonText } from '@meetmark/i18n/texts/common';
import { editConflictText } from '@meetmark/i18n/texts/edit-conflict';
import { picturesText as text } from '@meetmark/i18n/texts/workspace';
import { Button } from 'antd';
import { type DragEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { refusedFields } from '../../../api/client';
import { ActionButton, useOnce } from '../../../ui/action-button';
import { getEditConflict } from '../../../ui/edit-conflict';
import { Field } from '../../../ui/field';
import { CameraIcon } from '../../../ui/more-icons';
import { PictureInput, usePictureFiles } from '../../../ui/picture-input';
import { useToasts } from '../../../ui/toasts';
import { useForm } from '../../../ui/use-form';
import { useFailure } from '../../auth/session';
import { useRemoveGalleryPicture, useSaveGallery } from '../../events/event-life.api';
import { HelpButton } from '../../help/help-button';
import { Panel } from '../dashboard/panel';
import { ConfirmDialog } from '../shared/confirm-dialog';
import styles from './workspace.module.css';

const most = LIMITS.gallery;

type Words = Partial<Record<string, string>>;

export function Pictures({ event }: { event: EventPage }) {
  const { gallery = [] } = event;
  const toasts = useToasts();
  const picker = useRef<HTMLInputElement>(null);
  const own = useItems(gallery);
  const { list, items, hasNew, isMoved, add, drop, move } = own;
  const [removed, setRemoved] = useState<{ id: string; alt: string } | null>(null);
  const words = useWords(gallery, items);
  const { form, fields, errors, gone, isReworded, write, forget, submit } = words;
  const { saving, send } = useSaving(event, own, words);
  const room = most - items.length;

  const read = usePictureFiles(add);
  const take = (files: File[]) => {
    if (files.length > room) toasts.error(commonText.error, text.tooMany({ most }));
    void read(files.slice(0, room));
  };
  const nothing = !hasNew && !isReworded && !isMoved;
  return (
    <form ref={form} onSubmit={submit(send)} noValidate>
      <Panel title={text.title} help={<HelpButton panel="pictures" title={text.title} />}>
        <div className={styles.fields}>
          <p className={styles.soft}>
            {text.hint({ most })} {text.altHint}
          </p>
          {items.length > 0 && (
            <ul ref={list} className={styles.pictures}>
              {items.map(({ key, url, alt, isNew }, index) => (
                <Item
                  key={key}
                  url={url}
                  at={index + 1}
                  error={errors[key]}
                  alt={fields[key] ?? alt}
                  isLast={index === items.length - 1}
                  isSaving={saving.isPending}
                  change={(typed) => write(key, alt, typed)}
                  move={(by) => move(index, by)}
                  remove={() => {
                    if (!isNew) return setRemoved({ id: key, alt });
                    forget([key]);
                    drop(key);
                  }}
                />
              ))}
            </ul>
          )}
          {gone.map(([key, typed]) => (
            <p key={key} role="alert">
              {text.altGone({ alt: typed! })}
            </p>
          ))}
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
      {removed && (
        <RemoveDialog
          event={event}
          picture={removed}
          done={() => forget([removed.id])}
          close={() => setRemoved(null)}
        />
      )}
    </form>
  );
}

function useWords(gallery: GalleryPicture[], items: { key: string; alt: string }[]) {
  const [seen, setSeen] = useState<Words>({});
  const { form, fields, errors, change, refuse, submit } = useForm<Words>({}, (given) =>
    Object.fromEntries(
      items.filter(({ key, alt }) => !(given[key] ?? alt).trim()).map(({ key }) => [key, text.altMissing]),
    ),
  );
  const isOther = ({ id, alt }: GalleryPicture) => (fields[id]?.trim() ?? alt) !== alt;
  const gone = Object.entries(fields).filter(
    ([key, typed]) => typed !== undefined && !items.some((item) => item.key === key),
  );
  const write = (key: string, alt: string, typed: string) => {
    const before = fields[key] === undefined ? alt : seen[key];
    setSeen((others) => ({ ...others, [key]: before }));
    change({ [key]: typed === before ? undefined : typed });
  };
  const forget = (keys: string[]) => change(Object.fromEntries(keys.map((key) => [key, undefined])));
  const showTheirs = (present: GalleryPicture[]) => {
    const theirs = present.filter((item) => isOther(item) && seen[item.id] !== item.alt);
    setSeen({ ...seen, ...Object.fromEntries(theirs.map(({ id, alt }) => [id, alt])) });
    refuse(Object.fromEntries(theirs.map(({ id, alt }) => [id, text.altTheirs({ alt })])));
    return theirs.length > 0;
  };
  const isReworded = gallery.some(isOther);
  return { form, fields, errors, gone, isReworded, write, forget, showTheirs, submit };
}

function useSaving(
  event: EventPage,
  { items, isMoved, came, settle }: ReturnType<typeof useItems>,
  { forget, showTheirs }: ReturnType<typeof useWords>,
) {
  const toasts = useToasts();
  const failed = useFailure();
  const saving = useSaveGallery(event);
  const saveOnce = useOnce(saving);
  const refused = (error: Error) => {
    const present = getEditConflict<EventPage>(error)?.present;
    if (present && showTheirs(present.gallery ?? [])) return;
    const isGone = Object.keys(refusedFields(error)).some((field) => field.endsWith('.id'));
    failed(error, isGone ? editConflictText.title : text.saveFailed);
  };
  const send = (given: Words) => {
    if (showTheirs(event.gallery ?? [])) return;
    saveOnce(
      {
        isMoved,
        items: items.map(({ key, alt, isNew }) => ({
          ...(isNew ? { picture: key } : { id: key }),
          alt: given[key]?.trim() ?? alt,
          was: (given[key]?.trim() ?? alt) === alt ? undefined : alt,
          came: (id) => {
            forget([key]);
            came(key, id);
          },
        })),
      },
      {
        onSuccess: () => {
          forget(Object.keys(given));
          settle();
          toasts.success(text.saved);
        },
        onError: refused,
      },
    );
  };
  return { saving, send };
}

function useItems(gallery: GalleryPicture[]) {
  const list = useRef<HTMLUListElement>(null);
  const [added, setAdded] = useState<string[]>([]);
  const [order, setOrder] = useState<string[]>([]);
  const present = [
    ...gallery.map(({ id, url, alt }) => ({ key: id, url: `${url}?width=480`, alt, isNew: false })),
    ...added.map((url) => ({ key: url, url, alt: '', isNew: true })),
  ];
  const getIndex = ({ key }: { key: string }) => (order.includes(key) ? order.indexOf(key) : order.length);
  const items = present.toSorted((one, other) => getIndex(one) - getIndex(other));
  const drop = (url: string) => setAdded((before) => before.filter((other) => other !== url));
  return {
    list,
    items,
    hasNew: added.length > 0,
    isMoved: items.some(({ key }, at) => key !== present[at]!.key),
    add: (url: string) =>
      setAdded((before) =>
        before.includes(url) || before.length + gallery.length >= most ? before : [...before, url],
      ),
    drop,
    move: (at: number, by: 1 | -1) => {
      const keys = items.map(({ key }) => key);
      const moved = keys.with(at, keys[at + by]!).with(at + by, keys[at]!);
      const isBack = moved.every((key, place) => key === present[place]!.key);
      flushSync(() => setOrder(isBack ? [] : moved));
      const buttons = `[data-by="${by}"]:not(:disabled), [data-by]:not(:disabled)`;
      list.current?.children[at + by]?.querySelector<HTMLElement>(buttons)?.focus();
    },
    came: (url: string, id?: string) => {
      drop(url);
      setOrder((before) => before.map((other) => (other === url ? (id ?? other) : other)));
    },
    settle: () => setOrder([]),
  };
}

interface ItemProps {
  url: string;
  at: number;
  alt: string;
  error?: string;
  isLast: boolean;
  isSaving: boolean;
  change: (alt: string) => void;
  move: (by: 1 | -1) => void;
  remove: () => void;
}

const Item = ({ url, at, alt, error, isLast, isSaving, change, move, remove }: ItemProps) => (
  <li>
    <img src={url} alt="" />
    <div className={styles.fields}>
      <Field
        label={text.alt({ at })}
        error={error}
        value={alt}
        maxLength={LIMITS.alt}
        // read-only while saving, because edits would be lost
        readOnly={isSaving}
        onChange={(typed) => change(typed)}
      />
      <div className={styles.pictureButtons}>
        <Button aria-label={text.removeOf({ at })} onClick={remove}>
          {text.remove}
        </Button>
        <Button data-by={-1} aria-label={text.up({ at })} disabled={at === 1} onClick={() => move(-1)}>
          ↑
        </Button>
        <Button data-by={1} aria-label={text.down({ at })} disabled={isLast} onClick={() => move(1)}>
          ↓
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
  done: () => void;
  close: () => void;
}

function RemoveDialog({ event, picture: { id, alt }, done, close }: RemoveDialogProps) {
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
          () => {
            done();
            toasts.success(text.removed);
          },
          (error: unknown) => failed(error, text.removeFailed),
        )
      }
      close={close}
    />
  );
}
