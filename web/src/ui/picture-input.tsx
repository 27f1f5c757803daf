import { type ChangeEvent, type Ref } from 'react';
import { commonText } from '../strings/common';
import { PictureFileError, readPicture } from './picture-file';
import { useToasts } from './toasts';

interface PictureInputProps {
  label: string;
  /** Given the picture as a data URL. */
  choose: (dataUrl: string) => void;
  ref: Ref<HTMLInputElement>;
}

/** The browser's file picker for images; opened by a button of the screen through `ref`. */
export function PictureInput({ label, choose, ref }: PictureInputProps) {
  const toasts = useToasts();
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // The same file may be chosen again after it was removed.
    target.value = '';
    if (!file) return;
    try {
      choose(await readPicture(file));
    } catch (error) {
      if (!(error instanceof PictureFileError)) throw error;
      toasts.error(commonText.error, error.message);
    }
  };
  return (
    <input
      ref={ref}
      type="file"
      accept="image/*"
      aria-label={label}
      tabIndex={-1}
      className="visually-hidden"
      onChange={(event) => void read(event)}
    />
  );
}
