-- Recipients' addresses, for the System page; jobs don't store them, so they disappear with the account.
CREATE OR REPLACE VIEW auth.mail_address AS SELECT id, email FROM auth.users WHERE closed_at IS NULL;
GRANT SELECT ON auth.mail_address TO meetmark_admin;
