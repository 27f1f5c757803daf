-- Whom a mail is for, for the administrators' System page: looked up and not stored, so that it is gone with the account.
CREATE OR REPLACE VIEW auth.mail_address AS SELECT id, email FROM auth.users;
GRANT SELECT ON auth.mail_address TO meetmark_admin;
