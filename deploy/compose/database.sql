-- Creates the database and its owner. Patroni runs this file once.
\getenv password DATABASE_PASSWORD
CREATE ROLE equity LOGIN PASSWORD :'password';
CREATE DATABASE equity OWNER equity;
