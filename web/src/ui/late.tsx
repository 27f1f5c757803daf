import { type ComponentType, useEffect, useState } from 'react';
import { commonText } from '../strings/common';
import { useToasts } from './toasts';

/**
 * A dialog in a file of its own, shown once that has come. Where it cannot be had (no connection, a newer release), that is
 * said and the dialog closed; React.lazy would take the whole page with it.
 */
export function late<Props extends { close: () => void }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  return function Late(props: Props) {
    const toasts = useToasts();
    const [Part, setPart] = useState<ComponentType<Props> | null>(null);
    const [failed, setFailed] = useState(false);
    const { close } = props;
    useEffect(() => {
      load().then(
        ({ default: Loaded }) => setPart(() => Loaded),
        () => setFailed(true),
      );
    }, []);
    useEffect(() => {
      if (!failed) return;
      toasts.error(commonText.loadFailed, commonText.partFailedHint);
      close();
    }, [failed, toasts, close]);
    return Part && <Part {...props} />;
  };
}
