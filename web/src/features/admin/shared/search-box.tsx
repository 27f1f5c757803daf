import { LIMITS } from '@meetmark/contracts/limits';
import { Input } from 'antd';
import { useEffect, useState } from 'react';
import { SearchIcon } from '../../../ui/icons';
import styles from './toolbar.module.css';

/** Milliseconds without a key before the list is asked for. */
const TYPING_PAUSE = 250;

interface SearchBoxProps {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}

/** Searches while one types, after a short pause; Enter and the clear button search at once. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const [searched, setSearched] = useState(value);
  // The address changed without typing (a link back to the whole list).
  if (searched !== value) {
    setSearched(value);
    setText(value);
  }
  useEffect(() => {
    if (text.trim() === value) return undefined;
    const timer = setTimeout(() => onSearch(text.trim()), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  return (
    <Input
      className={styles.search}
      type="search"
      aria-label={label}
      placeholder={label}
      prefix={<SearchIcon size={18} />}
      value={text}
      maxLength={LIMITS.search}
      allowClear
      onChange={(event) => setText(event.target.value)}
      onPressEnter={() => onSearch(text.trim())}
    />
  );
}
