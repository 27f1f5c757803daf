import { type ComponentType, lazy } from 'react';

/** A screen in a file of its own. As React.lazy, but one that has come already is shown at once, with nothing in between. */
export function screen(load: () => Promise<{ default: ComponentType }>) {
  const Later = lazy(load);
  let Now: ComponentType | undefined;
  const Screen = () => (Now ? <Now /> : <Later />);
  Screen.arrived = async () => {
    Now = (await load()).default;
  };
  return Screen;
}
